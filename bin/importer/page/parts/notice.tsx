import type { ComponentChildren } from 'preact';
import { shown } from '../../engine/text.ts';

interface Props {
  readonly kind: 'error' | 'warning' | 'success' | 'note';
  readonly title?: string | undefined;
  /** Sentences, below each other. */
  readonly points?: readonly string[];
  readonly children?: ComponentChildren;
}

/** A message beside the work; an error is said at once to people who cannot see it. */
export function Notice({ kind, title, points = [], children }: Props) {
  return (
    <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : undefined}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {points.length > 0 && (
        <ul>
          {points.map((point) => (
            <li>{shown(point)}</li>
          ))}
        </ul>
      )}
      {children}
    </div>
  );
}
