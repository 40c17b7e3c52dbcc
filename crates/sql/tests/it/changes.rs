//! Statements that write: a table of SQL → needs.

use crate::shape::check;

#[test]
fn inserts() {
    check(&[
        ("INSERT INTO users (id, name) VALUES (1, 'a'), (2, 'b')", "insert users() writes(id,name)"),
        (
            "INSERT INTO users VALUES (1, 'a', 'b', 3, true)",
            "insert users() writes(id,name,email,age,active)",
        ),
        (
            "INSERT INTO items (order_id, price) SELECT id, total FROM orders WHERE status = 'x'",
            "insert items() writes(order_id,price) | orders(id,status,total) where[status='x']",
        ),
        (
            "INSERT INTO users (id, age) VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET age = users.age + excluded.age RETURNING name",
            "insert users(id,name,age) writes(id,age)",
        ),
        ("INSERT INTO users (id) VALUES (1) ON CONFLICT DO NOTHING", "insert users() writes(id)"),
        (
            "INSERT INTO users (id, age) VALUES (1, 2) ON DUPLICATE KEY UPDATE age = VALUES(age), name = email",
            "insert users(email) writes(id,name,age)",
        ),
        ("REPLACE INTO users (id, name) VALUES (1, 'x')", "insert users() writes(id,name)"),
        ("INSERT INTO users SET id = 1, name = 'x'", "insert users() writes(id,name)"),
        ("COPY users (id, name) FROM STDIN", "insert users() writes(id,name)"),
        (
            "WITH big AS (SELECT id FROM orders WHERE total > 9) INSERT INTO items (order_id) SELECT id FROM big",
            "insert orders(id,total) where[total>'9'] | items() writes(order_id)",
        ),
    ]);
}

#[test]
fn updates() {
    check(&[
        (
            "UPDATE users SET age = age + 1, name = 'x' WHERE id = 3",
            "update users(id,age) writes(name,age) where[id='3']",
        ),
        (
            "UPDATE orders o SET status = u.name FROM users u WHERE u.id = o.user_id AND o.total > 5",
            "update orders(user_id,total) writes(status) where[total>'5'] join[user_id=users.id] | users(id,name) join[id=orders.user_id]",
        ),
        (
            "UPDATE orders JOIN users ON users.id = orders.user_id SET orders.status = 'x' WHERE users.age = 1",
            "update orders(user_id) writes(status) join[user_id=users.id] | users(id,age) where[age='1'] join[id=orders.user_id]",
        ),
        (
            "UPDATE users SET (name, email) = (SELECT status, status FROM orders WHERE user_id = users.id)",
            "update users(id) writes(name,email) join[id=orders.user_id] | orders(user_id,status) join[user_id=users.id]",
        ),
        (
            "MERGE INTO users u USING orders o ON u.id = o.user_id WHEN MATCHED THEN UPDATE SET age = o.total \
             WHEN NOT MATCHED THEN INSERT (id) VALUES (o.user_id)",
            "update users(id) writes(id,age) join[id=orders.user_id] | orders(user_id,total) join[user_id=users.id]",
        ),
    ]);
}

#[test]
fn deletes() {
    check(&[
        (
            "DELETE FROM items WHERE order_id = 3",
            "delete items(order_id) writes(order_id,product,quantity,price) where[order_id='3']",
        ),
        (
            "DELETE FROM items USING orders o WHERE o.id = items.order_id AND o.status = 'x'",
            "delete items(order_id) writes(order_id,product,quantity,price) join[order_id=orders.id] | orders(id,status) where[status='x'] join[id=items.order_id]",
        ),
        (
            "DELETE i FROM items i JOIN orders o ON o.id = i.order_id",
            "delete items(order_id) writes(order_id,product,quantity,price) join[order_id=orders.id] | orders(id) join[id=items.order_id]",
        ),
        (
            "DELETE FROM items WHERE price < 1 ORDER BY quantity LIMIT 10",
            "delete items(quantity,price) writes(order_id,product,quantity,price) where[price<'1'] order[quantity↑] limit 10",
        ),
    ]);
}
