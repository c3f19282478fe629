import { ApiError } from './api-error.js';

/** Ids of customers that every simulated provider refuses, each for its own reason. */
const REFUSALS = {
  'sandbox-kyc': ['kyc_required', 'The identity of the customer must be verified first.'],
  'sandbox-location': ['location_refused', 'The location of the customer is not served.'],
  'sandbox-destination': ['destination_refused', 'The destination address is not accepted.'],
  'sandbox-refused': ['customer_refused', 'The customer is not accepted.'],
} as const;

const isRefused = (id: string): id is keyof typeof REFUSALS => Object.hasOwn(REFUSALS, id);

/** @throws ApiError for the id of a refused customer */
export function refuseCustomer(id: string | undefined): void {
  if (id === undefined || !isRefused(id)) return;
  const [code, message] = REFUSALS[id];
  throw new ApiError(code, message);
}
