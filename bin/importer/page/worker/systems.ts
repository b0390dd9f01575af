/** The descriptors of known exports: a file of their own, which is loaded with the first review. */
export { SYSTEMS } from '../../systems/index.ts';
