/** Asks what the contract does not describe: health, metrics, services behind the gateway, other parties. */
export const fetchOutsideApi: typeof fetch = (...request) => fetch(...request);
