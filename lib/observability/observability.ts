import { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { OperationsDashboard } from './dashboard.ts';
import { SavedQueries } from './saved-queries.ts';
import type { Watched } from './watched.ts';

/** All that an operator looks at, and what calls for one. */
export class Observability extends Construct {
  readonly alarms: Alarms;
  readonly dashboard: OperationsDashboard;

  constructor(scope: Construct, id: string, props: { watched: Watched; email?: string | undefined }) {
    super(scope, id);
    this.alarms = new Alarms(this, 'Alarms', props);
    this.dashboard = new OperationsDashboard(this, 'Dashboard', props.watched, this.alarms.all);
    new SavedQueries(this, 'Queries', props.watched);
  }
}
