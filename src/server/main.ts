// A service that was set up before `start.js` was there starts this file: it keeps its address.
import './start/start.js'
