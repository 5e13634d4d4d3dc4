-- What rules and usual categories say of a booking is kept by processes under `users.rule_set`, which counts its changes. The
-- accounts of the user have the same number, so that a booking is compared with it where its account is read anyway. While one
-- commit changes many rules, usual categories or labels, the number is negative, and they count as one change.
CREATE TRIGGER users_update_rule_set AFTER UPDATE OF rule_set ON users
WHEN NEW.rule_set >= 0
BEGIN
  UPDATE accounts SET rule_set = NEW.rule_set WHERE owner_id = NEW.id;
END;

-- Names of periods in rules depend on the day, and so on the time zone.
CREATE TRIGGER users_time_zone_rule_set AFTER UPDATE OF time_zone ON users
WHEN NEW.time_zone <> OLD.time_zone AND NEW.rule_set > 0
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.id;
END;

CREATE TRIGGER accounts_insert_rule_set AFTER INSERT ON accounts
WHEN (SELECT rule_set FROM users WHERE id = NEW.owner_id) > 0
BEGIN
  UPDATE accounts SET rule_set = (SELECT rule_set FROM users WHERE id = NEW.owner_id) WHERE id = NEW.id;
END;

CREATE TRIGGER rules_insert_rule_set AFTER INSERT ON rules
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id AND rule_set >= 0;
END;

-- A new order sets the positions of all rules, and exactly one of them is the first.
CREATE TRIGGER rules_update_rule_set AFTER UPDATE OF position, active, definition ON rules
WHEN NEW.active <> OLD.active OR NEW.definition <> OLD.definition OR NEW.position = 1
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id AND rule_set >= 0;
END;

CREATE TRIGGER rules_delete_rule_set AFTER DELETE ON rules
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = OLD.owner_id AND rule_set >= 0;
END;

-- A label or account that is archived, deleted or restored makes the rules that name it broken, or whole again. What a category is
-- for decides which transactions can have it.
CREATE TRIGGER categories_insert_rule_set AFTER INSERT ON categories
WHEN (SELECT rule_set >= 0 FROM users WHERE id = NEW.owner_id)
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, NEW.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id;
END;

CREATE TRIGGER categories_update_rule_set AFTER UPDATE OF archived, kind ON categories
WHEN (NEW.archived <> OLD.archived OR NEW.kind <> OLD.kind)
  AND (EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, NEW.id) > 0)
    OR EXISTS (SELECT 1 FROM payees WHERE default_category_id = NEW.id))
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id;
END;

CREATE TRIGGER categories_delete_rule_set AFTER DELETE ON categories
WHEN (SELECT rule_set >= 0 FROM users WHERE id = OLD.owner_id)
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = OLD.owner_id AND instr(definition, OLD.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = OLD.owner_id;
END;

CREATE TRIGGER tags_insert_rule_set AFTER INSERT ON tags
WHEN (SELECT rule_set >= 0 FROM users WHERE id = NEW.owner_id)
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, NEW.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id;
END;

CREATE TRIGGER tags_update_rule_set AFTER UPDATE OF archived ON tags
WHEN NEW.archived <> OLD.archived
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, NEW.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id;
END;

CREATE TRIGGER tags_delete_rule_set AFTER DELETE ON tags
WHEN (SELECT rule_set >= 0 FROM users WHERE id = OLD.owner_id)
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = OLD.owner_id AND instr(definition, OLD.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = OLD.owner_id;
END;

-- Texts of rules may have the names of payees, and payees have usual categories.
CREATE TRIGGER payees_insert_rule_set AFTER INSERT ON payees
WHEN (SELECT rule_set >= 0 FROM users WHERE id = NEW.owner_id)
  AND (NEW.default_category_id IS NOT NULL
    OR EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id
      AND (instr(definition, NEW.id) > 0 OR instr(definition, '{payee}') > 0)))
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id;
END;

CREATE TRIGGER payees_update_rule_set AFTER UPDATE OF name, archived, default_category_id ON payees
WHEN NEW.default_category_id IS NOT OLD.default_category_id
  OR (NEW.archived <> OLD.archived
    AND EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, NEW.id) > 0))
  OR (NEW.name <> OLD.name
    AND EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, '{payee}') > 0))
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id AND rule_set >= 0;
END;

CREATE TRIGGER payees_delete_rule_set AFTER DELETE ON payees
WHEN (SELECT rule_set >= 0 FROM users WHERE id = OLD.owner_id)
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = OLD.owner_id AND instr(definition, OLD.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = OLD.owner_id;
END;

CREATE TRIGGER accounts_update_rule_set AFTER UPDATE OF deleted_at ON accounts
WHEN (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL)
  AND EXISTS (SELECT 1 FROM rules WHERE owner_id = NEW.owner_id AND instr(definition, NEW.id) > 0)
BEGIN
  UPDATE users SET rule_set = rule_set + 1 WHERE id = NEW.owner_id;
END;
