import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";

describeDirectory("rows that this version cannot parse", (directory) => {
  test.each(["null", "5", '"text"', "[]", "{}", '{"kind":"images","effect":"grant"}'])(
    "a value of %s refuses everything",
    async (value) => {
      await directory.database.db.execute(
        `insert into directory.constraints (user_id, effect, kind, value) values (1, 'limit', 'host-ports', '${value}')`,
      );
      const { status, json } = await directory.send("GET", "/api/users/1/effective-constraints");
      expect(status).toBe(200);
      expect(json).toMatchObject({
        constraints: [],
        unreadable: [{ id: 1, owner: { type: "user", id: 1 }, kind: "host-ports" }],
      });
    },
  );
});
