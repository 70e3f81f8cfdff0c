<?php
// As the old web page of such a game has it.
$row = $db->query("SELECT * FROM player WHERE username = '$name'")->fetch_assoc();
if ($row['password'] === $_POST['before'])
    $db->query("UPDATE player SET password = '$after' WHERE username = '$name'");
