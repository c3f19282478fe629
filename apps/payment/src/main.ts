import { runService } from '@bascule/service-host';
import { paymentService } from './index.js';

await runService(paymentService);
