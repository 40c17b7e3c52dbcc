package testbed;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Times the operations of one command. Operations may end in any thread. */
final class Meter {
    private final long[] latencies;
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicReference<Throwable> firstFailure = new AtomicReference<>();
    private final Progress progress;
    private final long cpuAtStart = cpuNanos();
    private final long begun = System.nanoTime();
    private long lastAcknowledged = begun;
    private long longestGap;

    /** Hears how many operations have been acknowledged. */
    interface Progress {
        void at(int acknowledged);
    }

    Meter(int operations, Progress progress) {
        this.latencies = new long[operations];
        this.progress = progress;
    }

    /** An operation that was started then has ended. */
    void end(long started, Throwable failure) {
        long now = System.nanoTime();
        if (failure != null) {
            failures.incrementAndGet();
            firstFailure.compareAndSet(null, failure);
            return;
        }
        int acknowledged = ended.incrementAndGet();
        latencies[acknowledged - 1] = now - started;
        noteGap(now);
        progress.at(acknowledged);
    }

    private synchronized void noteGap(long now) {
        longestGap = Math.max(longestGap, now - lastAcknowledged);
        lastAcknowledged = now;
    }

    /** What was measured, as words {@code name=value}; times in microseconds. */
    String report() {
        long wall = System.nanoTime() - begun;
        long cpu = cpuNanos() - cpuAtStart;
        int count = ended.get();
        long[] sorted = Arrays.copyOf(latencies, count);
        Arrays.sort(sorted);
        String report = "operations=" + count
            + " failures=" + failures.get()
            + " wall_us=" + wall / 1000
            + " cpu_us=" + cpu / 1000
            + " p50_us=" + quantile(sorted, 0.50)
            + " p99_us=" + quantile(sorted, 0.99)
            + " longest_gap_us=" + longestGap / 1000;
        Throwable failure = firstFailure.get();
        if (failure != null) {
            System.err.println("testbed: the first of the failures");
            failure.printStackTrace();
        }
        return report;
    }

    private static long quantile(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * share))] / 1000;
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime();
    }
}
