import type { ComponentChildren } from 'preact';

interface Props {
  readonly kind: 'error' | 'warning' | 'success' | 'note';
  readonly title?: string | undefined;
  readonly children?: ComponentChildren;
}

/** A message beside the work; an error is said at once to people who cannot see it. */
export function Notice({ kind, title, children }: Props) {
  return (
    <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : undefined}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {children}
    </div>
  );
}
