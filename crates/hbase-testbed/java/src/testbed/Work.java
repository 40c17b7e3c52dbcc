package testbed;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.LongFunction;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** What the Java client can be told to do. */
final class Work {
    private static final Meter.Progress SILENT = acknowledged -> {};

    private final Connection blocking;
    private final AsyncConnection async;
    private final PrintStream answers;

    Work(Connection blocking, AsyncConnection async, PrintStream answers) {
        this.blocking = blocking;
        this.async = async;
        this.answers = answers;
    }

    /** Does a command, and gives the words of the answer. */
    String run(String[] words) throws Exception {
        Words rest = new Words(words);
        String command = rest.text();
        TableName table = TableName.valueOf(rest.text());
        return switch (command) {
            case "create" -> create(table, rest.number());
            case "drop" -> drop(table);
            case "put" -> put(table, rest.count(), rest.count(), rest.number(), rest.number(), rest.text());
            case "get" -> get(table, rest.count(), rest.number(), rest.number(), rest.text());
            case "batch" -> batch(
                table, rest.count(), rest.count(), rest.number(), rest.number(), rest.number(), rest.number(), rest.text());
            case "scan" -> scan(table, rest.text(), scanOf(rest));
            case "stall" -> stall(table, rest.count(), rest.count(), rest.number(), rest.number());
            default -> throw new IllegalArgumentException("no such command: " + command);
        };
    }

    private String create(TableName table, int regions) throws Exception {
        TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Rows.FAMILY));
        try (Admin admin = blocking.getAdmin()) {
            if (regions > 1) {
                admin.createTable(descriptor.build(), Rows.splits(regions));
            } else {
                admin.createTable(descriptor.build());
            }
        }
        return "";
    }

    private String drop(TableName table) throws Exception {
        try (Admin admin = blocking.getAdmin()) {
            admin.disableTable(table);
            admin.deleteTable(table);
        }
        return "";
    }

    /** Single puts of rows {@code first} and up. */
    private String put(TableName table, long first, long count, int inFlight, int valueBytes, String way)
            throws Exception {
        Meter meter = new Meter(Math.toIntExact(count), SILENT);
        if (way.equals("blocking")) {
            inThreads(table, count, inFlight, meter, (handle, number) ->
                handle.put(Rows.put(first + number, 1, valueBytes)));
        } else {
            AsyncTable<?> handle = async.getTable(table);
            inFlight(count, inFlight, meter, number -> handle.put(Rows.put(first + number, 1, valueBytes)));
        }
        return meter.report();
    }

    /** Gets of rows drawn from the first {@code rows} ones; each must be there. */
    private String get(TableName table, long count, int inFlight, int rows, String way) throws Exception {
        Meter meter = new Meter(Math.toIntExact(count), SILENT);
        LongFunction<Get> draw = number -> new Get(Rows.key(Long.remainderUnsigned(Rows.mix(~number), rows)));
        if (way.equals("blocking")) {
            inThreads(table, count, inFlight, meter, (handle, number) -> check(handle.get(draw.apply(number))));
        } else {
            AsyncTable<?> handle = async.getTable(table);
            inFlight(count, inFlight, meter, number -> handle.get(draw.apply(number)).thenAccept(Work::check));
        }
        return meter.report();
    }

    private static void check(Result result) {
        if (result.isEmpty()) {
            throw new IllegalStateException("a row is missing");
        }
    }

    /** Puts in batches, by whichever of Java's ways; an operation is a batch, except with the mutator. */
    private String batch(
            TableName table, long first, long count, int batch, int inFlight, int columns, int valueBytes, String way)
            throws Exception {
        long batches = (count + batch - 1) / batch;
        Meter meter = new Meter(Math.toIntExact(batches), SILENT);
        LongFunction<List<Put>> make = number -> {
            List<Put> puts = new ArrayList<>(batch);
            for (long row = number * batch; row < Math.min(count, (number + 1) * batch); row++) {
                puts.add(Rows.put(first + row, columns, valueBytes));
            }
            return puts;
        };
        switch (way) {
            case "blocking" ->
                inThreads(table, batches, inFlight, meter, (handle, number) -> handle.put(make.apply(number)));
            case "async" -> {
                AsyncTable<?> handle = async.getTable(table);
                inFlight(batches, inFlight, meter, number -> handle.putAll(make.apply(number)));
            }
            case "mutator" -> {
                try (BufferedMutator mutator = blocking.getBufferedMutator(table)) {
                    for (long number = 0; number < batches; number++) {
                        long started = System.nanoTime();
                        mutator.mutate(make.apply(number));
                        meter.end(started, null);
                    }
                    mutator.flush();
                }
            }
            default -> throw new IllegalArgumentException("no such way: " + way);
        }
        return meter.report();
    }

    /** A scan of everything, or of so many versions of the column that the words name. */
    private static Scan scanOf(Words rest) throws Exception {
        Scan scan = new Scan();
        if (rest.areThereMore()) {
            scan.addColumn(Bytes.toBytes(rest.text()), Bytes.toBytes(rest.text())).readVersions(rest.number());
        }
        return scan;
    }

    /** Reads what a scan of the table brings; an operation is a row. */
    private String scan(TableName table, String way, Scan scan) throws Exception {
        Meter meter = new Meter(0, SILENT);
        long rows = 0;
        long cells = 0;
        long bytes = 0;
        scan.setAsyncPrefetch(way.equals("prefetch"));
        try (ResultScanner results =
                way.equals("async") ? async.getTable(table).getScanner(scan) : blocking.getTable(table).getScanner(scan)) {
            for (Result result : results) {
                rows++;
                for (Cell cell : result.rawCells()) {
                    cells++;
                    bytes += cell.getRowLength() + cell.getQualifierLength() + cell.getValueLength();
                }
            }
        }
        return meter.report() + " rows=" + rows + " cells=" + cells + " bytes=" + bytes;
    }

    /** Like puts, and says {@code progress COUNT} now and then, so that a server can be killed in the middle. */
    private String stall(TableName table, long first, long count, int inFlight, int valueBytes) throws Exception {
        int every = Math.toIntExact(Math.max(1, count / 100));
        Meter meter = new Meter(Math.toIntExact(count), acknowledged -> {
            if (acknowledged % every == 0) {
                answers.println("progress " + acknowledged);
            }
        });
        AsyncTable<?> handle = async.getTable(table);
        inFlight(count, inFlight, meter, number -> handle.put(Rows.put(first + number, 1, valueBytes)));
        return meter.report();
    }

    /** Starts operations from this thread, so many at a time. */
    private static void inFlight(long count, int inFlight, Meter meter, LongFunction<CompletableFuture<?>> start)
            throws InterruptedException {
        Semaphore free = new Semaphore(inFlight);
        for (long number = 0; number < count; number++) {
            free.acquire();
            long started = System.nanoTime();
            start.apply(number).whenComplete((result, failure) -> {
                meter.end(started, failure);
                free.release();
            });
        }
        free.acquire(inFlight);
    }

    /** The words of a command, taken one after the other. */
    private static final class Words {
        private final Iterator<String> words;

        Words(String[] words) {
            this.words = List.of(words).iterator();
        }

        boolean areThereMore() {
            return words.hasNext();
        }

        String text() {
            if (!words.hasNext()) {
                throw new IllegalArgumentException("the command is too short");
            }
            return words.next();
        }

        int number() {
            return Integer.parseInt(text());
        }

        long count() {
            return Long.parseLong(text());
        }
    }

    /** An operation of the blocking client. */
    private interface Operation {
        void run(Table table, long number) throws Exception;
    }

    /** Runs operations in so many threads, each of which does one at a time. */
    private void inThreads(TableName table, long count, int threads, Meter meter, Operation operation)
            throws Exception {
        List<Thread> running = new ArrayList<>();
        for (int index = 0; index < threads; index++) {
            long offset = index;
            Thread thread = new Thread(() -> {
                try (Table handle = blocking.getTable(table)) {
                    for (long number = offset; number < count; number += threads) {
                        long started = System.nanoTime();
                        meter.end(started, failureOf(operation, handle, number));
                    }
                } catch (Exception closing) {
                    closing.printStackTrace();
                }
            });
            thread.start();
            running.add(thread);
        }
        for (Thread thread : running) {
            thread.join();
        }
    }

    private static Throwable failureOf(Operation operation, Table table, long number) {
        try {
            operation.run(table, number);
            return null;
        } catch (Exception failure) {
            return failure;
        }
    }
}
