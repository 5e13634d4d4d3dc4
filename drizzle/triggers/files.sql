-- Projection storage_usage: what a person or a group keeps in a storage class.
CREATE TRIGGER attachments_insert_usage AFTER INSERT ON attachments
BEGIN
  INSERT INTO storage_usage (storage_class_id, holder_id, bytes, objects)
  VALUES (NEW.storage_class_id, ifnull(NEW.group_id, NEW.owner_id), NEW.size, 1)
  ON CONFLICT (storage_class_id, holder_id) DO UPDATE SET
    bytes = bytes + NEW.size, objects = objects + 1;
END;

CREATE TRIGGER attachments_delete_usage AFTER DELETE ON attachments
BEGIN
  UPDATE storage_usage SET bytes = bytes - OLD.size, objects = objects - 1
  WHERE storage_class_id = OLD.storage_class_id AND holder_id = ifnull(OLD.group_id, OLD.owner_id);
  DELETE FROM storage_usage
  WHERE storage_class_id = OLD.storage_class_id AND holder_id = ifnull(OLD.group_id, OLD.owner_id)
    AND objects = 0;
END;

CREATE TRIGGER attachments_update_usage
AFTER UPDATE OF storage_class_id, group_id, owner_id, size ON attachments
BEGIN
  UPDATE storage_usage SET bytes = bytes - OLD.size, objects = objects - 1
  WHERE storage_class_id = OLD.storage_class_id AND holder_id = ifnull(OLD.group_id, OLD.owner_id);
  DELETE FROM storage_usage
  WHERE storage_class_id = OLD.storage_class_id AND holder_id = ifnull(OLD.group_id, OLD.owner_id)
    AND objects = 0;
  INSERT INTO storage_usage (storage_class_id, holder_id, bytes, objects)
  VALUES (NEW.storage_class_id, ifnull(NEW.group_id, NEW.owner_id), NEW.size, 1)
  ON CONFLICT (storage_class_id, holder_id) DO UPDATE SET
    bytes = bytes + NEW.size, objects = objects + 1;
END;

-- Whoever erases what files are linked to takes the links off; the files stay.
CREATE TRIGGER attachment_links_of_transaction AFTER DELETE ON transactions
BEGIN DELETE FROM attachment_links WHERE target_id = OLD.id; END;

CREATE TRIGGER attachment_links_of_account AFTER DELETE ON accounts
BEGIN DELETE FROM attachment_links WHERE target_id = OLD.id; END;
