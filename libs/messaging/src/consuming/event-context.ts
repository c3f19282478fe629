import { BaseRpcContext } from '@nestjs/microservices';
import type { IncomingRecord } from '../transport/transport.js';

type Address = Pick<IncomingRecord, 'topic' | 'partition' | 'offset' | 'headers'>;

/** Position and headers of an event, injected with `@Ctx()`. */
export class EventContext extends BaseRpcContext<[Address]> {
  constructor(address: Address) {
    super([address]);
  }

  get address(): Address {
    return this.getArgByIndex(0) as Address;
  }
}
