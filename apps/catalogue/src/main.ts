import { runService } from '@bascule/http';
import { catalogueService } from './index.js';

await runService(catalogueService);
