# For scripts/gtkwave: prints every row that the save file shows, its group names among them, with its value at the
# time that TIME names, which is at the left edge then.
gtkwave::setMarker $::env(TIME)
gtkwave::setWindowStartTime $::env(TIME)
set rows [gtkwave::getTotalNumTraces]
for {set n 0} {$n < $rows} {incr n} {
  puts "ROW [gtkwave::getTraceNameFromIndex $n] [gtkwave::getTraceValueAtMarkerFromIndex $n]"
}
puts END
flush stdout
