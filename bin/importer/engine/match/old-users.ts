/** The people that a table names, each once: those of an export, or the users of the platform. */
import { say } from '../ground/codes.ts';
import { columnsByHeader } from '../profile/roles.ts';
import { saysTopic, type Topic } from '../lexicon/topics.ts';
import { plainText } from '../lexicon/words.ts';
import { each } from '../read/pieces.ts';
import type { Source } from '../read/open-source.ts';
import { rowTexts } from './row-texts.ts';
import type { OldUser, PlatformUser } from './users.ts';

export interface UserColumns {
  /** Column, or member of a JSON object, with the ids of the old system. */
  readonly idColumn?: string | undefined;
  readonly emailColumn?: string | undefined;
  readonly nameColumn?: string | undefined;
}

export interface CountedUser extends OldUser {
  rows: number;
}

/** People by their id, else by their address; the most rows first. @throws EngineError if no column of people is found */
export async function oldUsers(source: Source, columns: UserColumns): Promise<CountedUser[]> {
  const found = new Map<string, CountedUser>();
  for await (const { id, email, name } of peopleIn(source, columns)) {
    const key = id ?? email?.toLowerCase();
    if (key === undefined) continue;
    const known = found.get(key);
    if (known === undefined) found.set(key, { id: id ?? email ?? key, email, name, rows: 1 });
    else known.rows += 1;
  }
  return [...found.values()].toSorted((a, b) => b.rows - a.rows);
}

/** The users of a table that an administrator of the platform hands in. @throws EngineError if no column has addresses */
export async function platformUsers(source: Source): Promise<PlatformUser[]> {
  const found = new Map<string, PlatformUser>();
  for await (const { email, name } of peopleIn(source, {}))
    if (email !== undefined) found.set(email.toLowerCase(), { email, name });
  return [...found.values()];
}

async function* peopleIn(source: Source, { idColumn, emailColumn, nameColumn }: UserColumns) {
  const byHeader = columnsByHeader(source.columns);
  const headed = (topic: Topic): string | undefined => source.columns.find((name) => saysTopic(plainText(name), topic));
  const last = headed('family_name');
  const read = rowTexts(
    source,
    [
      { asked: emailColumn, guessed: byHeader.get('user.email') },
      { asked: idColumn, guessed: byHeader.get('user.external_user_id') },
      { asked: nameColumn, guessed: last === undefined ? headed('whole_name') : headed('given_name') },
      { asked: undefined, guessed: nameColumn === undefined ? last : undefined },
    ],
    say('no_column_of_people', {}),
  );
  for await (const row of each(source.rows())) {
    const [email, id, ...names] = read(row);
    yield {
      id,
      email: email?.replace(/^mailto:/i, ''),
      name: names.filter((name) => name !== undefined).join(' ') || undefined,
    };
  }
}
