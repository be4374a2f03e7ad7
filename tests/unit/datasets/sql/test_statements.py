"""Names of tables within a statement."""

from core.datasets.sql.statements import columns_in, names_in, renamed


def test_columns_are_told_from_tables_and_from_what_is_written_in_quotes() -> None:
    assert columns_in("SELECT * FROM file WHERE file.city <> 'profile'") == {"city"}
    assert columns_in("SELECT count(*) FROM a f JOIN b USING (day) GROUP BY f.File") == {"day", "file"}
    assert columns_in("DROP TABLE file") == set()


def test_short_names_become_those_of_tables_and_their_columns_stay() -> None:
    sql = "select t1.a from t1 join t2 as b on t1.a = b.a"
    assert names_in(sql, {"t1", "t2", "t3"}) == ["t1", "t2"]
    made = renamed(sql, {"t1": "trips", "t2": "cars"})
    assert "FROM trips AS t1" in made
    assert "cars AS b" in made
    assert renamed("drop table t1", {"t1": "trips"}) == "drop table t1"
