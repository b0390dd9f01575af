import type { AccessStore } from '../workflow/ports.ts';
import { batchGet } from './batch-get.ts';
import { equals } from './conditions.ts';
import type { Database } from './database.ts';
import { unpackCompany, unpackUser } from './directory-items.ts';
import { optionalImport } from './import-store.ts';
import { companyKey, importKey, loginKey, sessionKey, userKey } from './keys.ts';
import { unpackSession } from './session-store.ts';
import { getItem, updateItem } from './single-item.ts';

/** What login and every protected call decide on. */
export function accessStore(database: Database): AccessStore {
  return {
    async findLogin(email) {
      const item = await getItem(database, loginKey(email));
      return item && { company_id: String(item['company_id']) };
    },

    async replacePasswordHash({ company_id, email, password_hash: standing = '' }, password_hash) {
      const stillStands = equals('password_hash', standing);
      await updateItem(database, userKey(company_id, email), { set: { password_hash }, when: stillStands });
    },

    async readAccess({ session_id, company_id, email, import_id }) {
      const importKeys = import_id === undefined ? [] : [importKey(company_id, import_id)];
      const keys = [sessionKey(session_id), userKey(company_id, email), companyKey(company_id), ...importKeys];
      const [session, user, company, importItem] = await batchGet(database, keys, true);
      const item = optionalImport(importItem);
      return {
        ...(session && { session: unpackSession(session) }),
        ...(user && { user: unpackUser(user) }),
        ...(company && { company: unpackCompany(company) }),
        ...(item && { import: item }),
      };
    },
  };
}
