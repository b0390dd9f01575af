import { TEXT } from '../texts.ts';

export function LearnerScreen() {
  return <p>{TEXT.learner.intro}</p>;
}
