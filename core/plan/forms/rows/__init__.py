"""Questions about rows of tables: "how many lines of the register are unpaid", "litres per vehicle"."""
