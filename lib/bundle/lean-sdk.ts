/**
 * Helps esbuild to leave out of the AWS SDK what no function uses: errors of operations that nobody calls, tables that are
 * worded so that they cannot be dropped, and what only other platforms need. What is left runs as published. Each change is a
 * line in the lists below; an SDK in which one of them finds nothing to change fails the build.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Loader, Metafile, Plugin } from 'esbuild';

/** Files inside packages, where no alias reaches, and what stands in for them. */
const STAND_INS: Readonly<Record<string, string>> = {
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js': 'no-javascript-hashes.ts',
  '@smithy/core/dist-es/submodules/checksum/md5/Md5Js.js': 'no-javascript-hashes.ts',
  '@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js': 'no-config-files.ts',
  '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js':
    'no-config-files.ts',
  '@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js': 'no-adaptive-retries.ts',
  '@smithy/signature-v4/dist-es/HeaderFormatter.js': 'no-event-streams.ts',
  '@aws-sdk/client-dynamodb/dist-es/commands/DescribeEndpointsCommand.js': 'no-endpoint-discovery.ts',
};

/** Every operation that a function calls, by client. The build fails over one that is not here. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  'client-dynamodb': [
    'BatchExecuteStatement',
    'BatchGetItem',
    'BatchWriteItem',
    'DeleteItem',
    'GetItem',
    'PutItem',
    'Query',
    'UpdateItem',
  ],
  'client-kms': ['GetPublicKey', 'Sign'],
  'client-sqs': ['SendMessageBatch'],
};

type Edit = (text: string, path: string) => string | Promise<string>;

const EDITS: Readonly<Record<string, Edit>> = {
  '@aws-sdk/client-[a-z]+/package.json': versionAlone,
  '@aws-sdk/client-[a-z]+/dist-es/schemas/schemas_0.js': async (text, path) =>
    withLiteralKeys(await withErrorsOfOperations(text, path)),
  '@aws-sdk/lib-dynamodb/dist-es/pagination/[A-Za-z]+Paginator.js': withoutSideEffects,
  '@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js': withoutDescriptions,
};

export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup(build) {
    build.initialOptions.metafile = true;
    const unmet = new Set<string>();
    const edit = (files: string, by: Edit, loader: Loader): void => {
      unmet.add(files);
      build.onLoad({ filter: inModules(files) }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const contents = await by(text, path);
        if (contents !== text) unmet.delete(files);
        return { contents, loader };
      });
    };
    for (const [file, standIn] of Object.entries(STAND_INS)) {
      edit(file, () => readFile(join(import.meta.dirname, standIn), 'utf8'), 'ts');
    }
    for (const [files, by] of Object.entries(EDITS)) edit(files, by, 'default');
    build.onEnd(({ metafile }) => ({
      errors: [
        ...[...unmet].map((files) => ({ text: `nothing to change in ${files}` })),
        ...unlisted(metafile).map((operation) => ({ text: `${operation} is called: list it among OPERATIONS` })),
      ],
    }));
  },
};

const inModules = (files: string): RegExp =>
  new RegExp(`/node_modules/${files}$`.replaceAll('.', '\\.').replaceAll('/', '[/\\\\]'));

/** The user agent names the version; nothing else of the file is read. */
function versionAlone(text: string): string {
  const { version } = JSON.parse(text) as { readonly version: string };
  return JSON.stringify({ version });
}

/**
 * Registers the errors that the SDK documents for the operations in use. Any other would still come with its name, message,
 * metadata, and members as they were sent: so do errors that the SDK's model has never known, such as `ValidationException`.
 */
async function withErrorsOfOperations(text: string, path: string): Promise<string> {
  const client = join(dirname(path), '../..');
  const operations = OPERATIONS[/client-[a-z]+$/.exec(client)?.[0] ?? ''] ?? [];
  const documented = operations.map((name) =>
    readFile(join(client, 'dist-types/commands', `${name}Command.d.ts`), 'utf8'),
  );
  const throws = (await Promise.all(documented)).flatMap((types) => [
    ...types.matchAll(/@throws \{@link (?<error>\w+)\}/g),
  ]);
  const errors = new Set(throws.map(({ groups }) => groups?.['error']));
  return text.replaceAll(/^n0_registry\.registerError\((\w+)\$, .*$/gm, (line, error: string) =>
    errors.has(error) ? line : '',
  );
}

/** `{ [_xN]: _K }` with `const _xN = "xmlName"` might run code, for all that esbuild knows; `{ "xmlName": _K }` cannot. */
function withLiteralKeys(text: string): string {
  const constants = new Map([...text.matchAll(/^const (\w+) = ("[^"]*");$/gm)].map(([, name, value]) => [name, value]));
  return text.replaceAll(/\[(\w+)\]:/g, (key, name: string) => `${constants.get(name) ?? key.slice(0, -1)}:`);
}

/** Making a paginator does nothing but make it. */
function withoutSideEffects(text: string): string {
  return text.replace('= createPaginator(', '= /* @__PURE__ */ createPaginator(');
}

/** What regions are called in prose; no rule for endpoints asks. */
function withoutDescriptions(text: string): string {
  return text.replaceAll(/"description": "[^"]*"/g, '');
}

/** Operations of which a bundle carries the SDK's own command although they are not listed. */
function unlisted(metafile: Metafile | undefined): string[] {
  const carried = Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  const unknown = carried.flatMap((file) => {
    const [path = '', client = '', operation = ''] =
      /@aws-sdk\/(client-[a-z]+)\/.*\/(\w+)Command\.js$/.exec(file) ?? [];
    return path in STAND_INS || path === '' || OPERATIONS[client]?.includes(operation) === true ? [] : [operation];
  });
  return [...new Set(unknown)];
}
