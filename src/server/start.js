// What units, images and process managers of installed machines start: this address does not move.
import './start/start.js'
