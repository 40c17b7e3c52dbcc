//! What the paper measured, in seconds; `None` where it got no answer.

/// Seconds of a question on schemas 1, 2 and 3.
pub type Seconds = [Option<f64>; 3];

/// Days that the question on stations goes back (section V-B).
pub const DAYS: [u32; 5] = [1, 2, 4, 8, 16];
/// Stations that it is about.
pub const STATIONS: [u32; 3] = [100, 200, 404];

/// Table VII, by days, for 200 stations.
pub const TABLE_VII: [Seconds; 5] = [
    [Some(1.1), Some(1.4), Some(0.4)],
    [Some(1.9), Some(3.6), Some(0.6)],
    [Some(2.5), Some(4.0), Some(1.2)],
    [Some(12.0), Some(4.8), Some(4.2)],
    [Some(13.8), Some(7.3), Some(6.2)],
];

/// Table VIII, by days, for 100 stations: seconds and working regions of each server, of schema 2 and of schema 3.
pub const TABLE_VIII: [[(f64, [u32; 4]); 2]; 5] = [
    [(1.258, [0, 2, 0, 0]), (0.47, [1, 0, 0, 0])],
    [(1.779, [0, 2, 0, 0]), (0.579, [1, 0, 0, 1])],
    [(2.566, [0, 2, 0, 0]), (1.161, [1, 1, 0, 1])],
    [(4.280, [0, 2, 1, 0]), (4.376, [1, 1, 0, 2])],
    [(5.839, [1, 2, 2, 0]), (5.401, [1, 2, 2, 2])],
];

/// Query 1, table VI(a): stars of a snapshot that were formed after a time.
pub const QUERY_1: [(f64, i64, Seconds); 5] = [
    (0.01, 84, [Some(14.383), Some(38.502), Some(34.427)]),
    (0.08, 128, [Some(17.722), Some(42.751), Some(42.243)]),
    (0.05, 128, [Some(23.208), Some(44.445), Some(42.498)]),
    (0.08, 216, [Some(38.496), Some(54.290), Some(54.322)]),
    (0.08, 512, [Some(62.361), Some(87.981), Some(87.142)]),
];

/// Query 2, table VI(b): stars that the first snapshot has and the second has not.
pub const QUERY_2: [(i64, i64, Seconds); 9] = [
    (29, 24, [Some(0.197), Some(27.434), Some(28.464)]),
    (60, 24, [Some(3.342), Some(32.550), Some(30.481)]),
    (84, 24, [Some(6.446), Some(38.128), Some(34.551)]),
    (128, 24, [Some(14.797), Some(44.611), Some(45.000)]),
    (216, 24, [None, Some(53.325), Some(55.783)]),
    (512, 24, [None, Some(79.113), Some(76.163)]),
    (216, 128, [None, Some(52.273), Some(49.012)]),
    (512, 128, [None, Some(66.709), Some(80.449)]),
    (512, 216, [None, Some(61.991), Some(81.325)]),
];

/// Query 3, table VI(c): how many stars, from [`FIRST_ID`] on, and over which snapshots.
pub const QUERY_3: [(u64, &[i64], Seconds); 9] = [
    (10, &[24], [Some(44.096), Some(42.515), Some(30.435)]),
    (10, &[24, 512], [Some(50.406), Some(45.986), Some(33.559)]),
    (10, &[24, 60, 128, 512], [Some(64.306), Some(46.061), Some(33.192)]),
    (10, &[24, 29, 60, 84, 128, 512], [Some(97.370), Some(48.634), Some(33.757)]),
    (10, &[24, 36, 45, 60, 84, 128, 216, 512], [Some(177.889), Some(50.636), Some(35.527)]),
    (50, &[24, 29, 84, 512], [None, Some(56.561), Some(47.775)]),
    (50, &ALL_SNAPSHOTS, [None, Some(110.301), Some(59.602)]),
    (100, &ALL_SNAPSHOTS, [None, Some(429.498), Some(162.808)]),
    (150, &ALL_SNAPSHOTS, [None, None, None]),
];

/// The snapshots.
pub const ALL_SNAPSHOTS: [i64; 9] = [24, 29, 36, 45, 60, 84, 128, 216, 512];
/// The first particle of query 3.
pub const FIRST_ID: i64 = 33_554_444;
/// The kind of a particle that is a star.
pub const STAR: i64 = 2;
