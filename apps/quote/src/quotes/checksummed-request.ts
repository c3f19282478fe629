import type { CustomActions, QuoteRequest } from '@bascule/contracts';
import { getAddress } from 'viem';

const checksummedActions = (custom: CustomActions): CustomActions => ({
  ...custom,
  actions: custom.actions.map((action) => ({ ...action, target: getAddress(action.target) })),
});

/** The request with checksummed addresses, as answers show it; token identifiers stay in lower case. */
export function checksummedRequest(asked: QuoteRequest): QuoteRequest {
  const { dest_address, custom_actions } = asked.request;
  const request = {
    ...asked.request,
    ...(dest_address !== undefined && { dest_address: getAddress(dest_address) }),
    ...(custom_actions && { custom_actions: checksummedActions(custom_actions) }),
  };
  return { ...asked, request };
}
