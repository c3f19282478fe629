import { runService } from '@bascule/http';
import { paymentService } from './index.js';

await runService(paymentService);
