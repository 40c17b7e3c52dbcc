package testbed;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Runs another program's main in a JVM that lives no longer than the process which started it: standard input
 * is a pipe from there, and when it ends, however that process ended, this JVM ends too.
 *
 * <p>Usage: {@code testbed.Launcher MAIN_CLASS [ARGUMENT…]}. The system property {@code testbed.scratch} names a
 * directory to delete when the pipe ends; who kills this JVM deletes it himself. Commands on standard input, for the
 * {@link Watcher}: {@code ready COUNT} and {@code servers}.
 */
public final class Launcher {
    private Launcher() {}

    public static void main(String[] words) throws Exception {
        // Answers go to the real standard output; whatever else is printed goes with the logs.
        PrintStream answers = System.out;
        System.setOut(System.err);
        Thread pipe = new Thread(() -> obey(new Watcher(answers)), "testbed-pipe");
        pipe.setDaemon(true);
        pipe.start();
        Class.forName(words[0])
            .getMethod("main", String[].class)
            .invoke(null, (Object) Arrays.copyOfRange(words, 1, words.length));
    }

    private static void obey(Watcher watcher) {
        try (BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                obey(line.split(" "), watcher);
            }
        } catch (IOException broken) {
            System.err.println("testbed: the pipe broke: " + broken);
        } finally {
            deleteScratch();
            // No shutdown hooks: a cluster of tests has nothing to save.
            Runtime.getRuntime().halt(0);
        }
    }

    private static void obey(String[] command, Watcher watcher) {
        switch (command[0]) {
            case "ready" -> watcher.reportReady(Integer.parseInt(command[1]));
            case "servers" -> watcher.reportServers();
            default -> System.err.println("testbed: no such command: " + command[0]);
        }
    }

    /** Deletes the directory that {@code testbed.scratch} names, if it does. */
    static void deleteScratch() {
        String scratch = System.getProperty("testbed.scratch");
        if (scratch == null) {
            return;
        }
        // Servers go on writing while their files go, in this JVM and in the others that are about to end.
        for (int attempt = 0; attempt < 20 && Files.exists(Path.of(scratch)); attempt++) {
            try (Stream<Path> paths = Files.walk(Path.of(scratch))) {
                paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
                Thread.sleep(50);
            } catch (Exception again) {
                // A file went away under the walk: the next attempt sees what is left.
            }
        }
    }
}
