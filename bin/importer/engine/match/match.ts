/** Courses of an old system against the catalog: exact id, then the same title, then a similar one. */
import { similarity, type Vocabulary, vocabularyOf } from './similarity.ts';
import { type Title, titleOf } from './title.ts';

export interface CatalogCourse {
  readonly platform_course_id: number;
  readonly title: string;
  readonly has_exam?: boolean;
}

export interface OldCourse {
  /** The course's id in the old system; the title if there is no id. */
  readonly id: string;
  readonly title: string | undefined;
}

/**
 * `registered`: the platform knows the id already. `same id`, `same title`, `similar`: there is one counterpart. `ambiguous`:
 * a person has to choose. `none`: no course fits.
 */
type MatchKind = 'registered' | 'same id' | 'same title' | 'similar' | 'ambiguous' | 'none';

/** The counterpart of a course, or those that may be. */
export interface Match {
  readonly kind: MatchKind;
  /** The counterpart; only where it is certain. */
  readonly course: CatalogCourse | undefined;
  /** The most similar courses, the best first, with their similarity from 0 to 1. */
  readonly candidates: readonly Candidate[];
}

interface Candidate {
  readonly course: CatalogCourse;
  readonly score: number;
}

/** A score from which two titles differ only in spelling. */
const CERTAIN = 0.85;
/** A score from which a person should compare the titles. */
const POSSIBLE = 0.6;
/** How far the second best has to be behind. */
const GAP = 0.1;

interface CatalogEntry {
  readonly course: CatalogCourse;
  readonly title: Title;
}

/** The courses of the platform, to find that of an old one. */
export class Catalog {
  readonly courses: readonly CatalogCourse[];
  readonly #entries: readonly CatalogEntry[];
  readonly #known: Vocabulary;
  readonly #registered: ReadonlyMap<string, number>;

  /** @param registered ids of the old system that the platform knows */
  constructor(courses: readonly CatalogCourse[], registered: ReadonlyMap<string, number> = new Map()) {
    this.courses = courses;
    this.#entries = courses.map((course) => ({ course, title: titleOf(course.title) }));
    this.#known = vocabularyOf(this.#entries.map(({ title }) => title));
    this.#registered = registered;
  }

  match({ id, title }: OldCourse): Match {
    const known = this.#entry(this.#registered.get(id));
    if (known !== undefined) return { kind: 'registered', course: known.course, candidates: [] };
    const sameId = this.#entry(/^\d{1,15}$/.test(id) ? Number(id) : undefined);
    const candidates = title === undefined ? [] : this.#candidates(titleOf(title));
    if (sameId === undefined) return byTitle(candidates);
    // An id that is equal by chance has another title.
    const isSame = title === undefined || (candidates[0]?.course === sameId.course && candidates[0].score >= POSSIBLE);
    if (isSame) return { kind: 'same id', course: sameId.course, candidates };
    return { kind: 'ambiguous', course: undefined, candidates: [{ course: sameId.course, score: 0 }, ...candidates] };
  }

  #entry(id: number | undefined): CatalogEntry | undefined {
    return this.#entries.find(({ course }) => course.platform_course_id === id);
  }

  #candidates(title: Title): Candidate[] {
    return this.#entries
      .map((entry) => ({ course: entry.course, score: similarity(title, entry.title, this.#known) }))
      .filter(({ score }) => score >= POSSIBLE - GAP)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, 3);
  }
}

function byTitle(candidates: readonly Candidate[]): Match {
  const [best, second] = candidates;
  if (best === undefined || best.score < POSSIBLE) return { kind: 'none', course: undefined, candidates };
  const isCertain = best.score >= CERTAIN && isAhead(best.score, second?.score ?? 0);
  if (!isCertain) return { kind: 'ambiguous', course: undefined, candidates };
  return { kind: best.score === 1 ? 'same title' : 'similar', course: best.course, candidates };
}

/** The same title is ahead of any other one. */
const isAhead = (best: number, second: number): boolean => best - second >= GAP || (best === 1 && second < 1);
