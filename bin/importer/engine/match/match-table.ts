/** The table of matches that a person looks over: what needs one comes first, and has no id. */
import { csvLine, defused } from '../read/csv.ts';

/** A course or a person of the old system, and its counterpart. */
export interface MatchLine {
  readonly id: string;
  readonly name: string | undefined;
  readonly rows: number;
  readonly kind: string;
  /** The counterpart, only where it is certain. */
  readonly target: { readonly id: string; readonly name: string } | undefined;
  readonly candidates: readonly string[];
}

/** The headers of the table, by which the command that registers it finds its columns. */
export interface MatchHeaders {
  readonly id: string;
  readonly name: string;
  readonly targetId: string;
  readonly targetName: string;
}

export function tableText({ id, name, targetId, targetName }: MatchHeaders, lines: readonly MatchLine[]): string {
  const head = [id, name, 'rows', targetId, targetName, 'match', 'candidate_1', 'candidate_2'];
  const openFirst = lines.toSorted((a, b) => Number(a.target !== undefined) - Number(b.target !== undefined));
  const rows = openFirst.map(({ id, name = '', rows, kind, target, candidates: [first = '', second = ''] }) => [
    id,
    defused(name),
    String(rows),
    target?.id ?? '',
    defused(target?.name ?? ''),
    kind,
    defused(first),
    defused(second),
  ]);
  return [head, ...rows].map((cells) => `${csvLine(cells, ',')}\n`).join('');
}

export function countsByKind(lines: readonly Pick<MatchLine, 'kind'>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of lines) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
