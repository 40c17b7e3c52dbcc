package testbed;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * The Java client as a rival in benchmarks: reads commands from standard input, does them one after the
 * other, and answers each with a line that begins with the same word, or {@code failed WHY}. Ends when its input
 * does. The commands are those of {@link Work}.
 */
public final class Client {
    private Client() {}

    public static void main(String[] none) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        Configuration settings = HBaseConfiguration.create();
        Connection blocking = ConnectionFactory.createConnection(settings);
        AsyncConnection async = ConnectionFactory.createAsyncConnection(settings).get();
        Work work = new Work(blocking, async, answers);
        // Commands run apart, so that the end of the input is noticed in the middle of one.
        ExecutorService worker = Executors.newSingleThreadExecutor();
        try (BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split(" ");
                worker.submit(() -> answers.println(answer(work, words)));
            }
        } finally {
            Launcher.deleteScratch();
            Runtime.getRuntime().halt(0);
        }
    }

    private static String answer(Work work, String[] words) {
        try {
            return words[0] + " " + work.run(words);
        } catch (Exception problem) {
            problem.printStackTrace();
            return "failed " + problem.toString().lines().findFirst().orElse("");
        }
    }
}
