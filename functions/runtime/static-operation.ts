/** Operations that read nothing: their bundles carry neither the SDK nor a store. */
import type { ApiRequest, ApiResponse } from './http.ts';
import { apiHandler, type ApiHandler, type ChainServices } from './pipeline.ts';
import { powertoolsTelemetry } from './powertools-telemetry.ts';
import { secureRandom, systemClock } from './live-system.ts';

const chainServices = (): ChainServices => ({
  clock: systemClock,
  random: secureRandom,
  telemetry: powertoolsTelemetry(),
});

/** Anyone may call it; it answers from what it was built with. */
export function staticOperation(
  operation: (request: ApiRequest) => Promise<ApiResponse>,
  services: () => ChainServices = chainServices,
): ApiHandler {
  return apiHandler(services, () => ({ operation }));
}
