//! Statements that read: a table of SQL → needs.

use crate::shape::check;

#[test]
fn one_table() {
    check(&[
        ("SELECT name FROM users WHERE id = 7", "select users(id,name) where[id='7']"),
        ("SELECT * FROM users", "select users(id,name,email,age,active)"),
        (
            "SELECT u.* FROM public.users AS u WHERE u.age > $1",
            "select users(id,name,email,age,active) where[age>?]",
        ),
        ("SELECT count(*) FROM users WHERE age >= 18", "select users(age) where[age>='18'] count(*)"),
        ("SELECT count(*) FROM users", "select users() count(*)"),
        ("SELECT \"userId\" FROM \"Mixed\" WHERE key = 1", "select Mixed(Key,userId) where[Key='1']"),
        ("SELECT `name` FROM `users` WHERE `id` IN (1,2,3)", "select users(id,name) where[id in3 '1']"),
        (
            "SELECT name FROM users ORDER BY age DESC, id LIMIT 10 OFFSET 5",
            "select users(id,name,age) order[age↓,id↑] limit 10 offset 5",
        ),
        ("SELECT name AS n FROM users ORDER BY n", "select users(name) order[name↑]"),
        ("SELECT age, name FROM users ORDER BY 2", "select users(name,age) order[name↑]"),
        ("SELECT name FROM users LIMIT ?", "select users(name) limit ?"),
        ("SELECT name FROM users FETCH FIRST 3 ROWS ONLY", "select users(name) limit 3"),
        ("SELECT name FROM users LIMIT 5, 10", "select users(name) limit 10 offset 5"),
        ("SELECT DISTINCT name FROM users LIMIT 3", "select users(name)"),
        ("SELECT upper(name) || '!' FROM users", "select users(name)"),
        ("SELECT CASE WHEN age > 1 THEN name ELSE email END FROM users", "select users(name,email,age)"),
        ("SELECT nothing FROM users", "select users() | unknown nothing"),
        ("SELECT u FROM users u", "select users(id,name,email,age,active)"),
    ]);
}

#[test]
fn a_column_named_as_a_function_is_a_column() {
    check(&[
        ("SELECT at FROM visits WHERE user = 'a'", "select visits(user,at) where[user='a']"),
        (
            "SELECT user, count(*) FROM visits WHERE user BETWEEN ? AND ? GROUP BY user",
            "select visits(user) where[user between ?] group[user] count(*)",
        ),
        ("SELECT id FROM users WHERE name = current_user", "select users(id,name) where[name=…]"),
    ]);
}

#[test]
fn conditions() {
    check(&[
        (
            "SELECT id FROM users WHERE 5 < age AND name LIKE 'a%'",
            "select users(id,name,age) where[age>'5' name like 'a%']",
        ),
        ("SELECT id FROM users WHERE age BETWEEN 1 AND 9", "select users(id,age) where[age between '1']"),
        ("SELECT id FROM users WHERE email IS NULL", "select users(id,email) where[email is null …]"),
        (
            "SELECT id FROM users WHERE age = 1 OR age = 2 OR (age IN (3,4))",
            "select users(id,age) where[age in4 '1']",
        ),
        ("SELECT id FROM users WHERE age = 1 OR name = 'x'", "select users(id,name,age) where[age~… name~…]"),
        ("SELECT id FROM users WHERE lower(name) = 'x'", "select users(id,name) where[name~…]"),
        (
            "SELECT id FROM users WHERE active AND NOT (age = 3)",
            "select users(id,age,active) where[active='true' age~…]",
        ),
        ("SELECT id FROM users WHERE NOT active", "select users(id,active) where[active='false']"),
        ("SELECT id FROM users WHERE age <> 3", "select users(id,age) where[age~…]"),
        ("SELECT id FROM users WHERE age = -3", "select users(id,age) where[age='-3']"),
        (
            "SELECT id FROM orders WHERE created >= DATE '2020-01-01'",
            "select orders(id,created) where[created>='2020-01-01']",
        ),
        (
            "SELECT id FROM orders WHERE created > now() - interval '1 day'",
            "select orders(id,created) where[created>…]",
        ),
        ("SELECT id FROM users WHERE id = ANY($1)", "select users(id) where[id in0 ?]"),
        ("SELECT id FROM users WHERE (id, age) = (1, 2)", "select users(id,age) where[id='1' age='2']"),
        (
            "SELECT id FROM users WHERE (id, age) IN ((1, 2), (3, 4))",
            "select users(id,age) where[id in2 … age in2 …]",
        ),
        ("SELECT id FROM users WHERE id = age", "select users(id,age) where[id=users.age age=users.id]"),
        ("SELECT id FROM users WHERE name = \"bob\"", "select users(id,name) where[name='bob']"),
    ]);
}

#[test]
fn joins() {
    check(&[
        (
            "SELECT u.name, o.total FROM users u JOIN orders o ON o.user_id = u.id WHERE o.status = 'open'",
            "select users(id,name) join[id=orders.user_id] | orders(user_id,status,total) where[status='open'] join[user_id=users.id]",
        ),
        (
            "SELECT name, total FROM users, orders WHERE users.id = user_id",
            "select users(id,name) join[id=orders.user_id] | orders(user_id,total) join[user_id=users.id]",
        ),
        (
            "SELECT u.name FROM users u LEFT JOIN orders o ON o.user_id = u.id AND u.age = 3 AND o.total > 5",
            "select users(id,name,age) join[id=orders.user_id] | orders(user_id,total) where[total>'5'] join[user_id=users.id]",
        ),
        (
            "SELECT a.name FROM users a JOIN users b USING (email)",
            "select users(name,email) join[email=users.email] | users(email) join[email=users.email]",
        ),
        (
            "SELECT total FROM users NATURAL JOIN orders",
            "select users(id) join[id=orders.id] | orders(id,total) join[id=users.id]",
        ),
        (
            "SELECT total FROM orders JOIN elsewhere e ON e.x = orders.id WHERE mystery = 3",
            "select orders(id,total) where[id=…] | others elsewhere",
        ),
        (
            "SELECT o.id, i.product FROM orders o CROSS JOIN LATERAL (SELECT product FROM items WHERE order_id = o.id LIMIT 1) i",
            "select orders(id) join[id=items.order_id] | items(order_id,product) join[order_id=orders.id] limit 1",
        ),
    ]);
}

#[test]
fn grouping_and_windows() {
    check(&[
        (
            "SELECT status, sum(total), avg(total * 2), count(*) FROM orders GROUP BY status HAVING max(created) > 5 ORDER BY 2",
            "select orders(status,total,created) group[status] sum(total) avg(…) count(*) max(created)",
        ),
        (
            "SELECT status AS s, count(id) FROM orders GROUP BY 1",
            "select orders(id,status) group[status] count(id)",
        ),
        (
            "SELECT status AS s FROM orders GROUP BY s ORDER BY s LIMIT 2",
            "select orders(status) group[status] order[status↑]",
        ),
        (
            "SELECT status, user_id FROM orders GROUP BY ROLLUP (status, user_id)",
            "select orders(user_id,status) group[status,user_id]",
        ),
        (
            "SELECT id, rank() OVER (PARTITION BY user_id ORDER BY total DESC) FROM orders LIMIT 3",
            "select orders(id,user_id,total)",
        ),
        ("SELECT count(*) FILTER (WHERE status = 'x') FROM orders", "select orders(status) count(*)"),
    ]);
}

#[test]
fn queries_inside_queries() {
    check(&[
        (
            "SELECT name FROM users WHERE id IN (SELECT user_id FROM orders WHERE total > 5)",
            "select users(id,name) join[id=orders.user_id] | orders(user_id,total) where[total>'5'] join[user_id=users.id]",
        ),
        (
            "SELECT name FROM users u WHERE EXISTS (SELECT * FROM orders o WHERE o.user_id = u.id)",
            "select users(id,name) join[id=orders.user_id] | orders(user_id) join[user_id=users.id]",
        ),
        (
            "SELECT name, (SELECT max(total) FROM orders WHERE user_id = users.id) FROM users",
            "select users(id,name) join[id=orders.user_id] | orders(user_id,total) join[user_id=users.id] max(total)",
        ),
        (
            "SELECT t.name FROM (SELECT * FROM users) t WHERE t.age = 3",
            "select users(name,age) where[age='3']",
        ),
        ("SELECT name FROM (SELECT * FROM users LIMIT 5) t WHERE age = 3", "select users(name,age) limit 5"),
        (
            "SELECT n FROM (SELECT user_id, count(*) AS n FROM orders GROUP BY user_id) c WHERE c.user_id = 4",
            "select orders(user_id) where[user_id='4'] group[user_id] count(*)",
        ),
        ("SELECT a FROM (SELECT id, name FROM users) AS t(a, b)", "select users(id)"),
        (
            "SELECT id FROM users UNION ALL SELECT user_id FROM orders WHERE total = 1",
            "select users(id) | orders(user_id,total) where[total='1']",
        ),
        (
            "SELECT a FROM (SELECT id AS a, name AS b FROM users UNION SELECT id, status FROM orders) x",
            "select users(id,name) | orders(id,status)",
        ),
        (
            "SELECT a FROM (SELECT id AS a, name AS b FROM users UNION ALL SELECT id, status FROM orders) x",
            "select users(id) | orders(id)",
        ),
    ]);
}

#[test]
fn named_queries() {
    check(&[
        (
            "WITH adults AS (SELECT * FROM users WHERE age > 17) SELECT name FROM adults WHERE active",
            "select users(name,age,active) where[age>'17' active='true']",
        ),
        (
            "WITH a(x) AS (SELECT id FROM users), b AS (SELECT x FROM a) SELECT o.total FROM orders o JOIN b ON b.x = o.user_id",
            "select users(id) join[id=orders.user_id] | orders(user_id,total) join[user_id=users.id]",
        ),
        (
            "WITH RECURSIVE tree(id, up) AS (SELECT id, user_id FROM orders WHERE id = 1 \
             UNION ALL SELECT o.id, o.user_id FROM orders o JOIN tree t ON t.up = o.id) SELECT id FROM tree",
            "select orders(id,user_id) where[id='1'] | orders(id,user_id) where[id=…]",
        ),
        (
            "WITH gone AS (DELETE FROM orders WHERE id = 1 RETURNING id) SELECT name FROM users JOIN gone ON gone.id = users.id",
            "select orders(id) writes(id,user_id,status,total,created) where[id='1'] join[id=users.id] | users(id,name) join[id=orders.id]",
        ),
    ]);
}

#[test]
fn wrappers() {
    check(&[
        ("EXPLAIN ANALYZE SELECT name FROM users", "select users(name)"),
        ("PREPARE q AS SELECT name FROM users WHERE id = $1", "select users(id,name) where[id=?]"),
        ("CREATE TABLE x AS SELECT name FROM users", "select users(name)"),
        ("COPY users (id, name) TO STDOUT", "select users(id,name)"),
        ("DECLARE c CURSOR FOR SELECT name FROM users", "select users(name)"),
        ("BEGIN; SELECT name FROM users; COMMIT", "select users(name)"),
        ("TABLE users", "select users(id,name,email,age,active)"),
    ]);
}
