export { countCampaigns, registerCampaignReports, startCampaignJobs } from './campaigns.service.ts'
export { startFigureJobs, startStatisticsJobs } from './figures.service.ts'
export { registerOperatorStatistics, computeStatistics } from './statistics.service.ts'
