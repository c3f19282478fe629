/**
 * `PROVE_LONG=1` selects the long forms of the tests: `npm run prove` sets it, the gate does not.
 * Long: chaos with 50 kills, SIGKILL at all 20 points, a database away for a minute.
 */
export const isLongForm = process.env['PROVE_LONG'] === '1';
