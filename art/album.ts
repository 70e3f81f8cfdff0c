/** Which scene is which file: covers by the slug of their post, game pictures by what they show. */
import { bossFightScene, nightMarketScene, stallScene, villageNightScene } from './scenes-game.ts'
import { bambooScene, crowScene, duelScene, lanternScene, openingScene } from './scenes-night.ts'
import {
  activationScene,
  classesScene,
  exchangeScene,
  gemScene,
  giftScene,
  rechargeScene,
  safetyScene,
} from './scenes-objects.ts'
import { devicesScene, escortScene, gatheringScene, restScene } from './scenes-road.ts'

export const covers: Record<string, () => string> = {
  'khai-mo-may-chu-hong-nguyet': openingScene,
  'huong-dan-nap-tcoin-bang-ma-qr': rechargeScene,
  'doi-tcoin-sang-luong': exchangeScene,
  'kich-hoat-tai-khoan': activationScene,
  'bon-goi-qua-tan-thu': giftScene,
  'bang-nang-cap-ngoc': gemScene,
  'giai-song-dau-trang-ram': duelScene,
  'sau-phai-sau-con-duong': classesScene,
  'cap-nhat-rung-truc-dem': bambooScene,
  'trum-moi-hac-dieu-vuong': crowScene,
  'le-hoi-den-long': lanternScene,
  'giu-tai-khoan-an-toan': safetyScene,
  'choi-game-dieu-do': restScene,
  'tai-game-cho-moi-may': devicesScene,
  'ho-tong-qua-deo-gio-hu': escortScene,
  'cap-nhat-cho-dem-ben-den': stallScene,
  'tim-nhau-o-dau': gatheringScene,
}

export const gamePictures: Record<string, () => string> = {
  'lang-dem': villageNightScene,
  'san-trum': bossFightScene,
  'cho-dem': nightMarketScene,
}
