import type { Payment } from '@bascule/contracts';
import {
  developmentAddresses,
  parseDeclaration,
  withdrawalCall,
  type ServiceAuthorization,
} from '@bascule/solidity';
import { expect } from '@jest/globals';
import { isAddressEqual, type Address, type Hex } from 'viem';

/** Builds the transaction that any account can send with the owner's signature. */
export function strangersCall(payment: Payment, payload: string, signature: Hex, wallet: Address) {
  const { message } = JSON.parse(payload) as {
    message: ServiceAuthorization & { nonce: string; chain_id: string };
  };
  const authorization: ServiceAuthorization = {
    ...message,
    nonce: BigInt(message.nonce),
    chain_id: BigInt(message.chain_id),
    actions: message.actions.map((action) => ({ ...action, value: BigInt(action.value) })),
  };
  const declaration = parseDeclaration(payment.declaration);
  expect(isAddressEqual(declaration.owner, payment.owner_address as Address)).toBe(true);
  return withdrawalCall(declaration, authorization, signature, {
    wallet,
    isDeployed: false,
    multicall3: developmentAddresses.multicall3,
  });
}
