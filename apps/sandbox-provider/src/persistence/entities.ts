import { Callback } from './callback.entity.js';
import { Order } from './order.entity.js';
import { Transfer } from './transfer.entity.js';
import { Wallet } from './wallet.entity.js';

export const sandboxProviderEntities = [Order, Wallet, Transfer, Callback];
