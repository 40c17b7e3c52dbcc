package testbed;

import java.io.IOException;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Looks at the cluster as a client does, and answers in one line: the active master's name and those of the region
 * servers that are online, with spaces between. Each question is answered in a thread of its own, so that whoever
 * reads them stays free to notice the end of the pipe.
 */
final class Watcher {
    private static final EnumSet<ClusterMetrics.Option> WHO =
        EnumSet.of(ClusterMetrics.Option.MASTER, ClusterMetrics.Option.LIVE_SERVERS);
    private static final int BETWEEN_LOOKS_MS = 300;

    private final PrintStream answers;

    Watcher(PrintStream answers) {
        this.answers = answers;
    }

    /** Says {@code ready …} once so many region servers are online and the system tables can be read. */
    void reportReady(int regionServers) {
        answer(() -> "ready " + waitUntilReady(regionServers));
    }

    /** Says {@code servers …} at once, {@code servers -} when there is no master to tell. */
    void reportServers() {
        answer(() -> {
            try (Connection connection = connect(); Admin admin = connection.getAdmin()) {
                return "servers " + describe(admin.getClusterMetrics(WHO));
            } catch (IOException nobodyKnows) {
                return "servers -";
            }
        });
    }

    private void answer(Callable<String> question) {
        Thread thread = new Thread(() -> {
            try {
                String line = question.call();
                synchronized (answers) {
                    answers.println(line);
                    answers.flush();
                }
            } catch (Exception problem) {
                problem.printStackTrace();
            }
        }, "testbed-watcher");
        thread.setDaemon(true);
        thread.start();
    }

    private static String waitUntilReady(int regionServers) throws InterruptedException {
        while (true) {
            // Making a connection is heavy: one that works is used until the end.
            try (Connection connection = connect(); Admin admin = connection.getAdmin()) {
                return waitUntilReady(admin, regionServers);
            } catch (IOException notYet) {
                System.err.println("testbed: not ready yet: " + cause(notYet));
            }
            Thread.sleep(BETWEEN_LOOKS_MS);
        }
    }

    private static String waitUntilReady(Admin admin, int regionServers) throws InterruptedException {
        while (true) {
            try {
                ClusterMetrics metrics = admin.getClusterMetrics(WHO);
                if (metrics.getLiveServerMetrics().size() >= regionServers && canBeUsed(admin)) {
                    return describe(metrics);
                }
            } catch (IOException notYet) {
                System.err.println("testbed: not ready yet: " + cause(notYet));
            }
            Thread.sleep(BETWEEN_LOOKS_MS);
        }
    }

    private static boolean canBeUsed(Admin admin) throws IOException {
        // The list of namespaces is refused until the master is initialised.
        return admin.listNamespaces().length >= 2
            && admin.isTableAvailable(TableName.META_TABLE_NAME)
            && admin.isTableAvailable(TableName.valueOf("hbase", "namespace"));
    }

    /** A connection that gives up soon: this class has its own loop. */
    private static Connection connect() throws IOException {
        Configuration settings = HBaseConfiguration.create();
        settings.setInt("hbase.client.retries.number", 1);
        settings.setInt("zookeeper.recovery.retry", 0);
        settings.setInt("hbase.rpc.timeout", 5000);
        settings.setInt("hbase.client.operation.timeout", 5000);
        return ConnectionFactory.createConnection(settings);
    }

    private static String cause(Throwable problem) {
        while (problem.getCause() != null) {
            problem = problem.getCause();
        }
        return problem.toString().lines().findFirst().orElse("");
    }

    private static String describe(ClusterMetrics metrics) {
        Stream<ServerName> servers = metrics.getLiveServerMetrics().keySet().stream().sorted();
        return Stream.concat(Stream.of(metrics.getMasterName()), servers)
            .map(ServerName::toString)
            .collect(Collectors.joining(" "));
    }
}
