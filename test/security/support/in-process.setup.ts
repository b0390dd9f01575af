/** Puts the services of the current world under the deployed handlers; everything else of them is as deployed. */
import { vi } from 'vitest';

vi.mock('../../../functions/runtime/live-services.ts', async () => {
  const { currentServices } = await import('./current-services.ts');
  return { liveServices: () => () => currentServices };
});

vi.mock('../../../functions/runtime/powertools-telemetry.ts', async () => {
  const { currentServices } = await import('./current-services.ts');
  return { powertoolsTelemetry: () => currentServices.telemetry };
});
