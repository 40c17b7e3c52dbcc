//! The list of all checks. A check is a function of a theme; its name says the rule.

use super::check::Check;

macro_rules! checks {
    ($($theme:ident { $($name:ident,)+ })+) => {
        /// Every rule, by theme.
        pub const CHECKS: &[Check] = &[$($(Check {
            theme: stringify!($theme),
            name: stringify!($name),
            run: |lab| Box::pin(super::$theme::$name(lab)),
        },)+)+];
    };
}

checks! {
    versions {
        sort_by_timestamp_not_arrival,
        are_limited_by_read_and_family,
        are_counted_for_each_column,
        of_one_timestamp_the_last_write_wins,
        of_one_put_the_last_cell_wins,
        past_the_limit_show_in_a_time_range_until_a_flush,
        come_back_when_newer_ones_are_deleted,
        do_not_come_back_after_a_flush,
        are_counted_over_files_and_memory,
        are_limited_by_family_then_filter_then_read,
        of_a_raw_scan_are_limited_by_the_read_alone,
    }
    deletes {
        of_a_version_hide_exactly_it,
        of_a_column_hide_it_up_to_a_time,
        of_a_family_hide_it_up_to_a_time,
        of_a_family_version_hide_all_columns_of_a_time,
        of_a_row_hide_all_families,
        of_the_newest_version_read_first,
        of_the_newest_twice_at_once_hide_two,
        of_the_newest_of_nothing_mark_the_present,
        without_a_time_hide_up_to_now,
        beat_a_put_of_the_same_timestamp,
        hide_older_puts_that_come_later_until_a_major_compaction,
        of_several_things_at_once_work_together,
        of_the_present_stay_in_a_scan_over_regions,
    }
    markers {
        sort_before_puts_by_kind,
        of_one_timestamp_sort_by_kind,
        of_families_live_beside_the_empty_qualifier,
        of_families_work_with_those_of_columns,
        older_than_a_put_hide_nothing,
        of_rows_without_values_show_in_raw_scans_only,
        show_in_raw_scans_with_every_option,
        pass_filters_of_raw_scans_as_empty_cells,
        of_named_columns_cannot_be_asked_for,
    }
    ttl {
        of_a_family_ends_its_cells,
        of_a_family_spares_the_future,
        of_a_family_ends_markers_at_a_flush,
        of_a_cell_ends_it,
        of_a_cell_cannot_outlive_its_family,
        spares_the_newest_of_min_versions,
        counts_no_deleted_version_as_spared,
        of_a_cell_is_not_spared_by_min_versions,
    }
    keep_deleted {
        true_shows_the_past_before_the_marker,
        false_hides_from_every_time_range,
        true_counts_the_deleted_at_a_flush,
        true_drops_markers_when_newer_versions_push_them_out,
        true_lets_family_markers_hide_the_past,
        ttl_keeps_until_it_ends,
        ttl_keeps_fresh_deletes_over_a_major_compaction,
        works_with_min_versions,
    }
    time_range {
        takes_its_lower_bound_and_leaves_its_upper,
        is_applied_before_versions_are_counted,
        that_is_empty_finds_nothing,
        lets_newer_markers_hide,
        of_a_family_takes_the_place_of_the_common_one,
    }
    scans {
        take_their_start_and_leave_their_stop,
        have_bounds_that_belong_to_them_or_not,
        sort_rows_as_unsigned_bytes,
        sort_columns_as_unsigned_bytes,
        cross_region_borders,
        end_at_their_limit_of_rows,
        read_the_columns_asked_for,
        answer_the_same_in_any_portions,
        stay_at_their_end,
        see_one_moment_of_a_region,
        see_whole_rows,
    }
    reverse {
        take_their_start_and_leave_their_stop,
        have_bounds_that_belong_to_them_or_not,
        cross_region_borders,
        keep_the_order_of_columns_and_versions,
        take_filters,
    }
    batch_limit {
        batch_cuts_rows_into_parts,
        batch_cuts_reversed_and_raw_rows,
        limit_counts_rows_not_parts,
        batch_counts_what_the_filter_leaves,
        batch_refuses_filters_of_whole_rows,
        each_family_gives_so_many_cells,
        each_family_is_cut_after_the_filter,
    }
    filters_of_rows {
        prefix_takes_rows_that_begin_so,
        page_counts_rows_of_each_region,
        row_compares_keys,
        inclusive_stop_gives_its_row_as_the_last,
        fuzzy_row_fits_bytes_that_count,
        multi_row_range_takes_rows_of_its_ranges,
        random_row_with_certain_chance,
        while_ends_at_the_first_row_that_fails,
        filters_see_binary_keys,
    }
    filters_of_columns {
        column_prefix,
        multiple_column_prefix,
        multiple_column_prefix_of_nested_prefixes,
        column_range,
        column_pagination,
        column_pagination_from_a_column,
        column_count_get,
        first_key_only,
        family_and_qualifier,
        dependent_column,
    }
    filters_of_cells {
        value_compares_with_every_operator,
        value_compares_with_every_comparator,
        value_compares_bits_and_numbers,
        key_only_leaves_out_values,
        single_column_value_chooses_rows,
        single_column_value_exclude_leaves_the_column_out,
        column_value_takes_the_one_column,
        timestamps_take_exactly_those,
        skip_leaves_out_rows_with_a_cell_that_fails,
        while_ends_at_the_first_cell_that_fails,
        filters_bring_nothing_deleted_back,
    }
    filter_lists {
        all_must_pass,
        one_must_pass,
        of_lists_are_lists,
        of_nothing_pass_everything,
        with_pages_count_what_is_left,
        change_cells_in_turn,
    }
    counters {
        begin_at_zero_and_add,
        wrap_round,
        take_any_eight_bytes_and_no_others,
        of_several_columns_change_together,
        change_nothing_when_one_column_refuses,
        stamp_the_new_value_after_the_old,
        see_deletes_and_time_ranges,
        answer_nothing_when_not_asked,
        append_to_what_is_there,
        lose_no_increment_of_several_at_once,
    }
    check_and_mutate {
        compares_the_given_with_the_stored,
        writes_only_when_it_holds,
        fails_on_a_missing_column_whatever_the_operator,
        knows_absent_and_empty_values,
        takes_an_empty_given_value_for_absent,
        looks_at_the_newest_version_in_a_time_range,
        takes_filters,
        does_every_kind_of_mutation,
        does_all_or_nothing,
        refuses_unknown_families_and_other_rows,
    }
    row_mutations {
        happen_together,
        happen_not_at_all_when_one_is_refused,
        do_not_depend_on_order_at_one_timestamp,
        answer_the_new_values,
        are_of_one_row_and_not_empty,
    }
    batch {
        answer_each_action_in_its_place,
        fail_each_action_alone,
        take_every_kind_of_action,
        of_nothing_answer_nothing,
        of_many_rows_reach_every_region,
    }
    atomic_batch {
        happens_in_all_tables,
        happens_nowhere_when_one_row_is_refused,
        happens_nowhere_when_a_check_does_not_hold,
        is_refused_by_a_store_that_has_none,
    }
    errors {
        unknown_family,
        unknown_table,
        disabled_table,
        senseless_writes,
        long_row_keys_are_fine,
        read_only_table,
        senseless_tables,
    }
    admin {
        tables_are_described_as_they_were_made,
        tables_are_listed_while_they_exist,
        tables_are_made_once,
        tables_are_disabled_and_enabled,
        tables_are_removed_when_disabled,
        tables_are_emptied,
    }
    alter {
        families_come_and_go_with_their_data,
        a_table_may_change_while_disabled,
        more_versions_show_what_is_still_stored,
        fewer_versions_hide_until_a_compaction,
        a_ttl_hides_and_shows_again,
        attributes_are_kept,
    }
    namespaces {
        are_listed_while_they_exist,
        must_exist_for_a_table,
        stay_while_they_have_tables,
        keep_tables_of_one_name_apart,
    }
    regions {
        are_cut_at_the_split_keys,
        take_split_keys_in_any_order_but_once,
        keep_their_data_when_a_table_is_split,
        keep_their_data_when_one_is_split,
        cannot_be_split_outside_themselves,
        keep_their_data_when_they_are_merged,
        are_merged_when_they_are_neighbours,
        keep_their_data_when_they_move,
        that_are_unknown_are_refused,
    }
    flush_compact {
        a_flush_drops_the_hidden_of_its_memory_alone,
        a_flush_drops_versions_past_the_limit,
        a_flush_of_a_family_leaves_the_others,
        a_flush_of_a_region_leaves_the_others,
        a_major_compaction_does_not_flush,
        a_compaction_leaves_two_files_alone,
        a_compaction_merges_three_files,
        of_an_empty_table_change_nothing,
    }
    aggregation {
        counts_rows_and_cells,
        adds_up_numbers,
        sees_filters_and_deletes,
        answers_for_each_region,
        groups_by_prefix_and_time,
        knows_times_in_keys_and_qualifiers,
        looks_into_cells_of_many_readings,
        says_who_worked,
        reads_every_type_of_number,
        refuses_unknown_families,
    }
    selection {
        finds_rows_that_have_anything,
        finds_what_differs_between_two_times,
        says_which_region_found_a_row,
    }
    stats {
        of_reads_count_what_was_read,
        of_regions_grow_with_the_work,
        of_servers_name_those_of_the_regions,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The name of a check becomes the name of its tables.
    #[test]
    fn names_are_unique_and_make_table_names() {
        let names: BTreeSet<_> = CHECKS.iter().map(Check::full_name).collect();
        assert_eq!(names.len(), CHECKS.len());
        for check in CHECKS {
            assert!(tablesmith_model::TableName::new("n", check.name).is_ok(), "{check:?}");
        }
    }
}
