// Gives random tests the same cases in each run, so that a change is judged by itself; `npm run prove` takes new cases.
import fc from 'fast-check';

const SEED = 1;

if (process.env.PROVE_LONG !== '1') {
  fc.configureGlobal({ seed: SEED });
}
