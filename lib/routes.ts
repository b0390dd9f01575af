export { ROUTES, type Route } from '../functions/shared/routes.ts';
