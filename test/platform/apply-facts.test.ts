/**
 * Messages of the platform (§13.1): examples, then random histories of facts against a model: repeated, reordered,
 * deleted, malformed, with crashes between any two commands. Over the table in memory; costs a few seconds.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMessage } from '../../functions/platform/apply-facts.ts';
import { contribution } from '../dynamodb/samples.ts';
import { company, course, killableWorld, row, user } from './small-file.ts';
import { cases } from '../kit/at-length.ts';

const CLASS = { platform_class_id: 1, viewed_at: '2024-05-02T08:00:00.000Z' };
const PAIR = { user_id: 7, platform_course_id: 101 };

function stack() {
  const { services, ...world } = killableWorld();
  return {
    ...world,
    services,
    send: (...facts: unknown[]) => applyMessage({ facts }, services),
    statuses: async (...facts: unknown[]) => statusesOf(await applyMessage({ facts }, services)),
  };
}

type Result = Awaited<ReturnType<typeof applyMessage>>;
const statusesOf = (result: Result) => ('results' in result ? result.results.map(({ status }) => status) : result);

const fact = (kind: string, version: number, members: object) => ({ kind, version, ...members });
const all = (version: number) => [
  fact('progress', version, row),
  fact('user', version, user),
  fact('course', version, course),
  fact('company', version, company),
];

describe('a message', () => {
  it('a message gets one result for each fact, in the order sent, however they depend on each other', async () => {
    const { statuses } = stack();
    expect(await statuses(...all(1))).toEqual(['applied', 'applied', 'applied', 'applied']);
    expect(await statuses(...all(1), ...all(2))).toEqual([...Array(4).fill('stale'), ...Array(4).fill('applied')]);
  });

  it('each problem of a message names its member, and one bad fact rejects no other', async () => {
    const { send, stores } = stack();
    const bad = fact('user', 1, { ...user, email: 'no address', role: undefined });
    expect(await send(fact('company', 1, company), bad, fact('course', 1, course))).toEqual({
      results: [
        { status: 'applied' },
        {
          status: 'rejected',
          errors: [
            {
              field: 'facts.1.email',
              message: 'facts.1.email must be an e-mail address of at most 254 characters.',
            },
            { field: 'facts.1.role', message: 'facts.1.role is missing.' },
          ],
        },
        { status: 'applied' },
      ],
    });
    expect((await stores.directory.courses('acme', [101], true)).size).toBe(1);
  });

  it.each([undefined, null, {}, { facts: {} }, { facts: [] }, { facts: Array(101).fill({}) }])(
    'a malformed message gets one error: %j',
    async (message) => {
      const { services } = stack();
      expect(await applyMessage(message, services)).toEqual({
        errors: [{ field: 'facts', message: 'facts must be an array of 1 to 100 facts.' }],
      });
    },
  );

  it('a message may move an address from one user to another', async () => {
    const { send, statuses, stores } = stack();
    await send(fact('user', 1, user));
    const next = [fact('user', 1, { ...user, id: 8 }), fact('user', 2, { ...user, email: 'ana.b@acme.test' })];
    expect(await statuses(...next)).toEqual(['applied', 'applied']);
    expect((await stores.directory.users('acme', [user.email], true)).get(user.email)?.user_id).toBe(8);
  });

  it('progress of an unknown address is rejected, progress of an unknown id is applied', async () => {
    const { send, statuses } = stack();
    expect(await send(fact('progress', 1, row))).toMatchObject({
      results: [{ status: 'rejected', errors: [{ field: 'facts.0.email' }] }],
    });
    const { email: _, ...rest } = row;
    expect(await statuses(fact('progress', 1, { ...rest, user_id: 7 }))).toEqual(['applied']);
  });

  it('facts change organic progress and never migrated progress', async () => {
    const { send, stores } = stack();
    const write = { ...PAIR, claim: true, contribution: contribution(), items: 1 };
    const history = async () => [...(await stores.progress.courseHistories('acme', [PAIR])).values()][0];
    await send(...all(1), fact('progress', 2, { ...row, classes: [CLASS] }));
    await stores.progress.contribute('acme', [write]);
    expect(await history()).toMatchObject({ native: { classes: [CLASS] }, contributions: [contribution()] });
    await send(fact('progress', 3, { company_id: 'acme', ...PAIR, deleted: true }));
    expect(await history()).toMatchObject({ native: null, contributions: [contribution()] });
  });

  it('a deleted course is not in the catalog and does not count on a page', async () => {
    const { send, stores } = stack();
    await send(...[101, 102, 103].map((id) => fact('course', 1, { ...course, platform_course_id: id })));
    await send(fact('course', 2, { company_id: 'acme', platform_course_id: 102, deleted: true }));
    const page = await stores.directory.listCourses('acme', 2);
    expect(page.map(({ platform_course_id }) => platform_course_id)).toEqual([101, 103]);
  });
});

describe('a forced fact', () => {
  const HIGH = Number.MAX_SAFE_INTEGER;

  it('a forced deletion and a forced erasure apply below the stored version; its repeat erases no second time', async () => {
    const { statuses, send } = stack();
    const { email: _, ...native } = row;
    const entities = [company, course, user, { ...native, user_id: 7 }];
    const facts = entities.map((of, at) => ({ kind: ['company', 'course', 'user', 'progress'][at], ...of }));
    await send(...facts.map((each) => ({ ...each, version: HIGH })));
    const gone = facts.map((each) => ({ ...each, version: 5, deleted: true, force: true }));
    expect(await statuses(...gone)).toEqual(Array(4).fill('applied'));
    await send(fact('user', HIGH, user));
    const erasure = fact('user', 6, { company_id: 'acme', id: 7, erase: true, force: true });
    expect(await send(erasure)).toEqual({ results: [{ status: 'applied', erased_at: null }] });
    expect(await send(erasure)).toEqual({ results: [{ status: 'stale', erased_at: null }] });
  });

  it('force is true or false', async () => {
    const { send } = stack();
    expect(await send(fact('company', 1, { ...company, force: 'yes' }))).toMatchObject({
      results: [{ status: 'rejected', errors: [{ field: 'facts.0.force' }] }],
    });
  });
});

/** Two entities of each kind. One version of an entity is always the same fact, which contains the version. */
const anyFact = fc
  .record({
    kind: fc.constantFrom('company', 'user', 'course', 'progress'),
    which: fc.constantFrom(0, 1),
    version: fc.nat({ max: 6 }),
    isMalformed: fc.integer({ min: 0, max: 7 }).map((each) => each === 0),
    force: fc.boolean(),
  })
  .map((drawn) => ({
    ...drawn,
    entity: `${drawn.kind} ${drawn.which}`,
    deleted: (drawn.version + drawn.which) % 3 === 2,
  }));
type Drawn = Parameters<Parameters<typeof anyFact.map>[0]>[0];

function bodyOf({ kind, which, version, isMalformed, force, deleted }: Drawn): object {
  const company_id = kind === 'company' && which === 1 ? 'other' : 'acme';
  const ids = {
    company: { company_id },
    user: { company_id, id: 7 + which },
    course: { company_id, platform_course_id: 101 + which },
    progress: { company_id, user_id: 7 + which, platform_course_id: 101 },
  }[kind];
  const rest = {
    company: { name: `v${version}`, migrations_enabled: version % 2 === 0 },
    user: { ...user, email: `u${which}-${version % 2}@acme.test`, name: `v${version}` },
    course: { ...course, title: `v${version}` },
    progress: { ...row, email: undefined, completion_pct: version },
  }[kind];
  return { kind, version: isMalformed ? -1 : version, force, ...(deleted ? { deleted } : rest), ...ids };
}

/** What the contract says of facts in the order of their delivery. */
function model() {
  const latest = new Map<string, Drawn>();
  const forced = new Set<string>();
  return {
    statusOf: (drawn: Drawn) => {
      const { entity, version, force, isMalformed } = drawn;
      const isStale = force
        ? forced.has(`${entity} ${version}`)
        : version <= (latest.get(entity)?.version ?? Number.NEGATIVE_INFINITY);
      if (isMalformed || isStale) return isMalformed ? 'rejected' : 'stale';
      if (force) forced.add(`${entity} ${version}`);
      latest.set(entity, drawn);
      return 'applied';
    },
    stored: () =>
      [...latest].flatMap(([entity, { version, deleted }]) => (deleted ? [] : [`${entity} v${version}`])).toSorted(),
  };
}

async function storedIn({ stores }: Pick<ReturnType<typeof stack>, 'stores'>): Promise<string[]> {
  const companies = await stores.platform.companies(['acme', 'other']);
  const emails = [0, 1].flatMap((which) => [0, 1].map((spelling) => `u${which}-${spelling}@acme.test`));
  const users = [...(await stores.directory.users('acme', emails, true)).values()];
  const owners = await stores.platform.ownersOf(emails);
  expect(new Set([...owners.values()].map(({ user_id }) => user_id))).toEqual(
    new Set(users.map(({ user_id }) => user_id)),
  );
  expect(owners.size).toBe(users.length);
  const pairs = [7, 8].map((user_id) => ({ user_id, platform_course_id: 101 }));
  const histories = [...(await stores.progress.courseHistories('acme', pairs)).values()];
  return [
    ...[...companies.values()].map(({ company_id, name }) => `company ${company_id === 'acme' ? 0 : 1} ${name}`),
    ...users.map(({ user_id, name }) => `user ${user_id - 7} ${name}`),
    ...(await stores.directory.listCourses('acme', 9)).map(
      ({ platform_course_id, title }) => `course ${platform_course_id - 101} ${title}`,
    ),
    ...histories.flatMap(({ user_id, native }) =>
      native ? [`progress ${user_id - 7} v${native.completion_pct}`] : [],
    ),
  ].toSorted();
}

type Stores = ReturnType<typeof stack>['stores'];
const forgetsForcedUsers = ({ platform }: Stores): Partial<Stores> => ({
  platform: {
    ...platform,
    wasForced: async () => false,
    saveUser: (id, before, next, options) => platform.saveUser(id, before, next, { ...options, force: undefined }),
  },
});

/** Messages are delivered in any order, some again after others, and a killed delivery at once. */
const anyHistory = (broken?: typeof forgetsForcedUsers) =>
  fc.asyncProperty(
    // One fact of an entity a message: a repeated unforced fact of too high a version may overwrite a forced one.
    fc.array(fc.uniqueArray(anyFact, { minLength: 1, maxLength: 5, selector: ({ entity }) => entity }), {
      minLength: 1,
    }),
    fc.array(fc.nat(), { minLength: 1, maxLength: 20 }),
    fc.nat({ max: 60 }),
    async (messages, deliveries, lastCommand) => {
      const world = stack();
      const services = { ...world.services, stores: { ...world.stores, ...broken?.(world.stores) } };
      const expected = model();
      world.killAfter(lastCommand);
      for (const at of deliveries) {
        const message = messages[at % messages.length] ?? [];
        const deliver = async () => statusesOf(await applyMessage({ facts: message.map(bodyOf) }, services));
        const statuses = message.map(expected.statusOf);
        await deliver()
          .then((found) => expect(found).toEqual(statuses))
          .catch(async (error: unknown) => {
            if (!(error instanceof Error && error.message === 'killed')) throw error;
            world.killAfter(Number.POSITIVE_INFINITY);
            await deliver();
          });
      }
      world.killAfter(Number.POSITIVE_INFINITY);
      expect(await storedIn(world)).toEqual(expected.stored());
    },
  );

describe('any history of facts', () => {
  it('any history of facts, forced or not, ends as the contract says: in any order, doubled, redriven, interrupted anywhere', async () => {
    await expect(fc.assert(anyHistory(), { numRuns: cases(1000, 40) })).resolves.toBeUndefined();
  });

  it('broken variant: a store that forgets which facts about users were forced', async () => {
    expect((await fc.check(anyHistory(forgetsForcedUsers), { numRuns: 500 })).failed).toBe(true);
  });
});

it('only the version and the addresses of a deleted user are kept', async () => {
  const { send, table } = stack();
  await send(
    fact('user', 1, { ...user, password: 'secret of ana' }),
    fact('user', 2, { company_id: 'acme', id: 7, deleted: true }),
  );
  expect([...table.items()]).toEqual([
    { pk: 'acme#fact#user-7', sk: 'fact', version: 2, v: 1, former_emails: '["ana@acme.test"]' },
  ]);
});
