/** The screens behind the sign-in, which come after it. */
import type { ComponentType } from 'preact';
import type { Screen } from '../state/address.ts';
import { ArchiveScreen } from './archive.tsx';
import { EvidenceScreen } from './evidence.tsx';
import { FileScreen } from './file.tsx';
import { ImportScreen } from './import.tsx';
import { LearnerScreen } from './learner.tsx';
import { MigrationScreen } from './migration.tsx';
import { MigrationsScreen } from './migrations.tsx';
import { ResultScreen } from './result.tsx';
import { ReviewScreen } from './review.tsx';

export { DraftNote } from '../parts/draft.tsx';

type Shown = ComponentType<{ readonly query: URLSearchParams }>;

export const SCREENS: Readonly<Record<Exclude<Screen, 'sign-in'>, Shown>> = {
  migrations: MigrationsScreen,
  file: FileScreen,
  review: ReviewScreen,
  import: ImportScreen,
  result: ResultScreen,
  run: MigrationScreen,
  learner: LearnerScreen,
  archive: ArchiveScreen,
  evidence: EvidenceScreen,
};
