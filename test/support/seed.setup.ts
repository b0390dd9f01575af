/** Properties are tried on the same examples in every run, so that a change is judged by what it changes; FC_SEED takes others. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_260_101) });
