/** The metrics that a dashboard draws, read from its body. */
import { PhysicalResources, resolveIntrinsics, resourcesOfType, type Template } from '../../../bin/local/template.ts';

export interface Drawn {
  readonly widget: string;
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

interface Widget {
  readonly properties: { readonly title?: string; readonly metrics?: readonly (readonly unknown[])[] };
}

export function drawnBy(template: Template): Drawn[] {
  return resourcesOfType(template, 'AWS::CloudWatch::Dashboard').flatMap(([, { DashboardBody }]) => {
    const body = JSON.parse(String(resolveIntrinsics(DashboardBody, new PhysicalResources()))) as { widgets: Widget[] };
    return body.widgets.flatMap(({ properties: { title = '', metrics = [] } }) =>
      metrics.flatMap((metric) => drawn(title, metric)),
    );
  });
}

/** `[namespace, name, dimension, value, …, options]`; an expression is `[options]`, and draws metrics that stand beside it. */
function drawn(widget: string, metric: readonly unknown[]): Drawn[] {
  const [namespace, name, ...rest] = metric.filter((part) => typeof part === 'string');
  if (namespace === undefined || name === undefined) return [];
  const pairs = Array.from({ length: rest.length / 2 }, (_, at) => [rest[2 * at], rest[2 * at + 1]]);
  return [{ widget, namespace, name, dimensions: Object.fromEntries(pairs) }];
}
