package testbed;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.Put;

/** The rows of a benchmark; the Rust side makes the same ones. */
final class Rows {
    static final byte[] FAMILY = bytes("f");

    private Rows() {}

    /** Row keys are 16 hexadecimal digits, spread evenly over all keys. */
    static byte[] key(long number) {
        return bytes(String.format("%016x", mix(number)));
    }

    /** Values repeat the row key. */
    static byte[] value(byte[] key, int valueBytes) {
        byte[] value = new byte[valueBytes];
        for (int at = 0; at < valueBytes; at++) {
            value[at] = key[at % key.length];
        }
        return value;
    }

    static Put put(long number, int columns, int valueBytes) {
        byte[] key = key(number);
        byte[] value = value(key, valueBytes);
        Put put = new Put(key);
        for (int column = 0; column < columns; column++) {
            put.addColumn(FAMILY, qualifier(column), value);
        }
        return put;
    }

    static byte[] qualifier(int column) {
        return bytes(String.format("q%04d", column));
    }

    /** Keys that cut the table into regions of about the same number of rows. */
    static byte[][] splits(int regions) {
        byte[][] splits = new byte[regions - 1][];
        for (int region = 1; region < regions; region++) {
            splits[region - 1] = bytes(String.format("%04x", region * 0x10000L / regions));
        }
        return splits;
    }

    /** The finaliser of SplitMix64: a different number for each number. */
    static long mix(long number) {
        long mixed = number + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
