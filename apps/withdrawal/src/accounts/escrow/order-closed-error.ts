import { ServiceError, type ServiceErrorCode } from '@bascule/contracts';

interface Closing {
  code: ServiceErrorCode;
  message: string;
}

const CLOSINGS = {
  filled: {
    code: 'invalid_request',
    message: 'The order was filled. Withdraw the money from the wallet on the destination chain.',
  },
  refunded: { code: 'conflict', message: 'The order was already refunded.' },
} as const satisfies Record<string, Closing>;

/** The order's money has left the escrow, or belongs to its filler. */
export class OrderClosedError extends ServiceError {
  constructor(readonly closedAs: keyof typeof CLOSINGS) {
    const { code, message } = CLOSINGS[closedAs];
    super(code, [{ kind: 'other', message }]);
    this.name = 'OrderClosedError';
  }
}
