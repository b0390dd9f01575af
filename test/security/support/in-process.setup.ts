/** Puts the services of the current world under the deployed handlers; everything else of them is as deployed. */
import { vi } from 'vitest';

vi.mock('../../../functions/services/services.ts', async (original) => {
  const { currentServices } = await import('./current-services.ts');
  return { ...(await original<object>()), liveServices: () => () => currentServices };
});

vi.mock('../../../functions/runtime/telemetry.ts', async (original) => {
  const { currentServices } = await import('./current-services.ts');
  return { ...(await original<object>()), powertoolsTelemetry: () => currentServices.telemetry };
});
