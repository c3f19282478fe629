import type { WithdrawResponse } from '@bascule/contracts';
import type { Hex, LocalAccount } from 'viem';

/** Signs as any wallet would: typed data, or a message. */
export function signWithdrawal(
  { type, withdraw_authorization: text }: WithdrawResponse,
  key: LocalAccount,
): Promise<Hex> {
  if (type === 'erc191') return key.signMessage({ message: text });
  return key.signTypedData(JSON.parse(text) as Parameters<typeof key.signTypedData>[0]);
}
