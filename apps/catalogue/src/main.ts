import { runService } from '@bascule/service-host';
import { catalogueService } from './index.js';

await runService(catalogueService);
