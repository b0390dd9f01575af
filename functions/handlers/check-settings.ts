import { respondToCustomResource, type CustomResourceResult } from '../platform/custom-resource.ts';
import { checkSettings, deployedParameter, type SettingsEvent } from '../platform/deployed-settings.ts';

/** Refuses a deployment that would silently undo settings of the one before it. */
export const handler = (event: SettingsEvent): Promise<CustomResourceResult | undefined> =>
  respondToCustomResource(event, () => checkSettings(event, deployedParameter(process.env)));
